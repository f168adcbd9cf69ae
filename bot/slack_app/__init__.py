"""The Slack door: commands and buttons in, one core call, a reply out."""
