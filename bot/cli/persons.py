"""`paperround people` and `paperround person`: who is known, and everything kept about someone."""

from pathlib import Path
from typing import NoReturn

import click
from rich.text import Text

from bot.app import persons
from bot.app.wiring import Rooms
from bot.cli.asking import Who
from bot.cli.layout import put
from bot.cli.opening import json_option, opened, screen
from bot.cli.printing import in_json
from bot.model import Identity
from bot.text import plural


@click.group()
def people() -> None:
    """Who is known here."""


@people.command("ls")
@json_option
@click.pass_context
def people_ls(ctx: click.Context, as_json: bool) -> None:
    """Everyone, with what they follow and where they are reached."""
    with opened(ctx) as rooms:
        rows = [_person(rooms, subscriber) for subscriber in rooms.store.people.everyone()]
    if as_json:
        click.echo(in_json(rows))
        return
    for row in rows:
        said = f"{row['is']}  follows {row['follows']}  digests: {row['digests']}"
        put(screen(), Text(said), 4)
    if not rows:
        click.echo('Nobody yet. paperround do --as email:reader@example.org "follow TOPIC"')


def _person(rooms: Rooms, subscriber: int) -> dict[str, str]:
    people_ = rooms.store.people
    topics = [f.topic.name for f in people_.follows(subscriber)]
    return {
        "is": ", ".join(str(each) for each in people_.identities(subscriber)),
        "follows": ", ".join(topics) or "nothing",
        "digests": "; ".join(
            f"{d.channel} {d.address} {d.cadence} {d.zone} ({d.state}"
            + (f": {d.reason}" if d.reason else "") + ")"
            for d in people_.destinations(subscriber)
        ) or "none",
    }  # fmt: skip


@click.group()
def person() -> None:
    """Everything kept about someone: take it along, or forget it."""


@person.command("export")
@click.option("--to", "into", type=click.Path(path_type=Path, dir_okay=False),
              help="A file; without it, standard output.")  # fmt: skip
@click.argument("identity", type=Who())
@click.pass_context
def export(ctx: click.Context, identity: Identity, into: Path | None) -> None:
    """Everything kept about someone, as JSON."""
    with opened(ctx) as rooms:
        kept = rooms.core.export(identity)
    if not kept:
        _unknown(ctx, identity)
    text = in_json(kept)
    if into is None:
        click.echo(text)
        return
    into.touch(mode=0o600)
    if into.is_file():  # one that was there may be open to others
        into.chmod(0o600)
    into.write_text(text + "\n", encoding="utf-8")
    click.echo(f"Wrote {into}.")


@person.command("erase")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.argument("identity", type=Who())
@click.pass_context
def erase(ctx: click.Context, identity: Identity, yes: bool) -> None:
    """Forget someone wholly.

    Their identities, follows, saves and digests, and their mails in the folder.
    """
    with opened(ctx) as rooms:
        if rooms.store.people.find(identity) and not yes:
            click.confirm(f"Forget everything about {identity}? This cannot be undone", abort=True)
        erased = persons.erase(rooms, identity)
        if erased is None:
            _unknown(ctx, identity)
        keep = rooms.config.operator.backups
    click.echo(f"{identity} is forgotten.")
    if erased.mails:
        click.echo(f"{plural(erased.mails, 'mail')} removed from the mail folder.")
    if erased.unseen:
        click.echo(f"Backups in {erased.unseen} cannot be read by this user; they may still hold "
                   "what was kept until now.")  # fmt: skip
    if erased.backups:
        count = plural(len(erased.backups), "backup still holds", "backups still hold")
        click.echo(
            f"{count} what was kept until now. Daily ones go within {plural(keep, 'day')}, others "
            f"within 30; remove them if that is too long: {erased.backups[0].parent}"
        )


@person.command("new-links")
@click.argument("identity", type=Who())
@click.pass_context
def new_links(ctx: click.Context, identity: Identity) -> None:
    """Links in their mails so far stop working.

    Those for leaving excepted; for when a mail of theirs went to somebody else.
    """
    with opened(ctx) as rooms:
        if not rooms.core.void_links(identity):
            _unknown(ctx, identity)
    click.echo(
        f"Links sent to {identity} so far only stop the mail now. The next mail has new ones."
    )


def _unknown(ctx: click.Context, identity: Identity) -> NoReturn:
    click.echo(f"Error: {identity} is not known here; see paperround people ls", err=True)
    ctx.exit(1)
