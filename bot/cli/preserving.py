"""`paperround backup` and `paperround restore`."""

import click

from bot.app import backups
from bot.app.backups import restoring
from bot.app.locks import only_service
from bot.app.rotation import rotate
from bot.cli.opening import Options, folder, json_option, opened
from bot.cli.printing import in_json
from bot.core.dates import day_words
from bot.text import number, plural


@click.command()
@click.option("--to", "into", type=click.Path(file_okay=False),
              help="A folder; without it, backups/ in the data folder.")  # fmt: skip
@json_option
@click.pass_context
def backup(ctx: click.Context, into: str | None, as_json: bool) -> None:
    """Copy the database and the key that signs links, while the service runs, and check the copy.

    Of the backups in that folder, the newest operator.backups are kept.
    """
    home = folder("--to", into)
    with opened(ctx) as rooms:
        now = rooms.core.house.clock()
        made = backups.make(rooms.store, rooms.config.data, now, home)
        keep = rooms.config.operator.backups
        gone = rotate(rooms.config.data, keep, now, home)
    if as_json:
        removed = [str(path) for path in gone]
        click.echo(in_json({**backups.as_json(made), "removed": removed}))
        return
    click.echo(f"{made.path}: {plural(made.papers, 'paper')}, "
               f"{plural(made.subscribers, 'subscriber')}; the copy is whole.")  # fmt: skip
    if gone:
        click.echo(f"{plural(len(gone), 'older backup')} removed.")


@click.command()
@click.option("--hold/--no-hold", default=True, show_default=True,
              help="Ask before sending what may have been sent since the backup.")  # fmt: skip
@json_option
@click.argument("named", metavar="BACKUP")
@click.pass_context
def restore(ctx: click.Context, named: str, hold: bool, as_json: bool) -> None:
    """Put a backup in place: a path, the name of one in backups/, or latest.

    What is there now is moved aside, never deleted.  Stop the service first.
    """
    options = Options.of(ctx)
    data = options.settings().data
    path = backups.chosen(named, data)
    data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with only_service(data):
        done = restoring.restore(path, data, options.clock()(), hold=hold)
    if as_json:
        aside = str(done.aside) if done.aside else None
        said = {**backups.as_json(done.backup), "held": done.held.deliveries, "aside": aside}
        click.echo(in_json(said))
        return
    for sentence in _said(done, hold=hold):
        click.echo(sentence)


def _said(done: restoring.Restored, *, hold: bool) -> list[str]:
    made = done.backup
    when = f"{day_words(made.made_at, 'UTC')} {made.made_at:%H:%M} UTC"
    said = [f"Restored the backup of {when}: {number(made.papers)} papers, "
            f"{plural(made.subscribers, 'subscriber')}."]  # fmt: skip
    if done.aside:
        said.append(f"What was there before is in {done.aside}.")
    if hold:
        said.append(
            f"{plural(done.held.deliveries, 'delivery', 'deliveries')} held. Digests that came or "
            "were due since then will be held too, once arXiv has been read: see paperround queue "
            "ls --held."
        )
        if not done.held.is_known:
            said.append(
                "What was there before could not be read: what somebody asked for at once since "
                "then (digest now) may come again."
            )
    said.append(
        f"What people changed after {when} is undone: whoever left since then follows again."
    )
    return said
