"""python -m bot is paperround."""

from bot.cli import main

if __name__ == "__main__":
    main()
