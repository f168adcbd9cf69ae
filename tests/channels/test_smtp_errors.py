"""What mail servers say in their own words, one sentence for each thing that is listened for."""

import aiosmtplib
import pytest

from bot.channels import ChannelError, Fault
from bot.channels.email.smtp_errors import Phase, judge


def said(answer: str, phase: Phase) -> ChannelError:
    code, _, words = answer.partition(" ")
    wrong = aiosmtplib.SMTPResponseException(int(code), words)
    return judge(wrong, phase, "mail.example.org:587", "ada@far.example")


@pytest.mark.parametrize(
    "answer",
    [
        "552 5.2.0 Quota exceeded",
        "550 the mailbox was full",
        "550 5.4.0 mailbox full",
        "554 exceeded storage allocation",
        "550 5.2.1 The user is receiving mail too quickly",
        "550 5.2.1 The user is receiving mail at a rate that is too high",
        "554 sending limit reached",
        "554 rate limit reached",
        "554 daily limit reached",
        "554 hourly limit reached",
        "554 a limit on the number of messages was reached",
        "550 example.org has exceeded the max defers",
        "550 5.7.1 an unusual sending pattern was seen",
        "554 more than 300 emails per hour",
        "554 more than 300 e-mails per day",
        "554 more than 300 mails per hour",
        "554 more than 300 messages per day",
        "550 5.4.1 no route",
        "550 5.4.3 the directory does not answer",
    ],
)
@pytest.mark.parametrize("phase", [Phase.RCPT, Phase.BODY])
def test_too_much_for_now_is_tried_again(answer, phase):
    assert said(answer, phase).fault is Fault.RETRY


@pytest.mark.parametrize(
    "answer",
    [
        "553 5.7.1 Sender address rejected: not yours",
        "553 Sender email address is not known here",
        "553 The sender address not found",
        "550 Sender verify failed",
        "554 SendAsDenied",
        "554 5.2.0 Send as denied",
        "553 not owned by user ada",
        "550 this is not one of your addresses",
        "501 it must be same as the login",
        "501 it must be the same as the login",
        "501 From must equal the login",
        "554 Email address is not verified",
        "554 example.org is not a verified domain",
        "550 no verified sender of that name",
        "550 not authorised to send as that",
        "550 not authorized to send as that",
        "554 Sending suspended",
        "554 Sending paused for this account",
        "554 account suspended",
        "550 SMTP AUTH is asked for",
        "550 you are not authenticated",
        "550 Authentication required",
        "550 authentication is required",
        "504 Helo command rejected",
        "504 EHLO command rejected",
        "501 invalid HELO",
        "554 Client host rejected: no",
    ],
)
@pytest.mark.parametrize("phase", [Phase.MAIL, Phase.RCPT, Phase.BODY])
def test_what_is_about_who_writes_says_where_to_look(answer, phase):
    error = said(answer, phase)

    assert error.fault is (Fault.CHANNEL if phase is Phase.MAIL else Fault.RECIPIENT)
    assert "look at mail.sender, mail.own_returns and the login" in str(error)


@pytest.mark.parametrize(
    "answer",
    [
        f"550 5.7.{code} no"
        for code in (20, 25, 29, 501, 505, 509, 511, 513, 515, 606, 650, 705, 799)
    ]
    + [
        "554 192.0.2.1 blocked using a list",
        "554 you are on a block list",
        "554 you are on a blocklist",
        "554 you are on a black-list",
        "554 you are on a denylist",
        "554 see spamhaus.example",
        "554 see spamcop.example",
        "554 found in a DNSBL",
        "554 found in an RBL",
        "554 5.7.1 you are banned",
        "554 5.7.0 poor reputation",
        "554 no reverse DNS",
        "554 no reverse host name",
        "554 no rDNS",
        "554 no PTR",
        "554 SPF fails",
        "554 DKIM fails",
        "554 DMARC fails",
        "554 5.7.1 unauthenticated mail is not taken",
    ],
)
@pytest.mark.parametrize("phase", [Phase.RCPT, Phase.BODY])
def test_what_is_about_our_server_or_name_closes_the_domain_for_an_hour(answer, phase):
    error = said(answer, phase)

    assert (error.fault, error.scope) == (Fault.RECIPIENT, "@far.example")
    assert error.retry_after == 3600


@pytest.mark.parametrize(
    "answer",
    [
        "554 5.7.1 a URL in it is on a block list",
        "554 5.7.1 the URI is in an RBL",
        "554 5.7.1 urls in it are in a blacklist",
        "554 5.7.1 found by URIBL, a block list",
        "554 5.7.1 found by SURBL, a block list",
        "554 5.7.1 DBL, a block list",
        "554 5.7.1 its content is in a denylist",
        "554 5.7.1 its contents are banned",
        "554 5.7.1 a banned attachment",
        "554 5.7.1 banned attachments",
        "550 5.6.0 a banned word",
        "550 5.7.30 a code of something else",
        "550 5.7.510 the recipient's own list",
    ],
)
def test_what_is_about_one_mail_closes_nothing(answer):
    assert (said(answer, Phase.BODY).fault, said(answer, Phase.BODY).scope) == (Fault.CONTENT, "")


@pytest.mark.parametrize(
    "status", ["5.1.7", "5.1.8", "5.2.252", "5.3.1", "5.3.2", "5.4.5", "5.7.60"]
)
@pytest.mark.parametrize("phase", [Phase.RCPT, Phase.BODY])
def test_codes_about_us_give_up_no_address(status, phase):
    error = said(f"550 {status} no", phase)

    assert (error.fault, error.suppress) == (Fault.RECIPIENT, False)
