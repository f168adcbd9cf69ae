"""In somebody's name: do, preview, explain, topics."""

import asyncio
import shlex
from dataclasses import replace

import click

from bot.addresses import normalise_address
from bot.channels.console import Console
from bot.cli.opening import Options, called, json_option, opened
from bot.cli.printing import in_json, show
from bot.core import Actor, Reply
from bot.model import Identity, Part


class Who(click.ParamType):  # type: ignore[type-arg]
    """An identity: email:reader@example.org, slack:T1:U1, console:me."""

    name = "identity"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Identity:
        """The identity, or a sentence that says how to write one."""
        try:
            who = Identity.parse(value)
            if who.kind == "email":
                return replace(who, external_id=normalise_address(who.external_id))
        except ValueError as error:
            self.fail(str(error), param, ctx)
        return who


def answered(ctx: click.Context, reply: Reply, *, as_json: bool) -> None:
    """Show a reply; exit code 2 for what was asked wrongly, 1 for what cannot be done."""
    failed = reply.status >= 400
    show(reply, as_json=as_json, err=failed and not as_json)
    if failed:
        ctx.exit(2 if reply.status == 400 else 1)


@click.command()
@click.option("--as", "identity", type=Who(), required=True,
              help="In whose name: email:ada@example.org, slack:TEAM:USER.")  # fmt: skip
@json_option
@click.argument("command", nargs=-1, required=True)
@click.pass_context
def do(ctx: click.Context, identity: Identity, command: tuple[str, ...], as_json: bool) -> None:
    """Anything people can ask for: do --as email:reader@example.org "follow world models"."""
    with opened(ctx) as rooms:
        actor = Actor(identity, operator=True)
        answered(ctx, rooms.core.execute(actor, " ".join(command)), as_json=as_json)
        rooms.core.catch_up(identity)  # no service may run that would do it


@click.command()
@click.option("--heating", is_flag=True, help="Those that grow.")
@click.option("--emerging", is_flag=True, help="Those that are new.")
@click.option("--cooling", is_flag=True, help="Those that shrink.")
@click.option("--largest", is_flag=True, help="By size; so they stand without any option.")
@click.option("--category", "categories", multiple=True, metavar="CATEGORY",
              help="The momentum of a category instead; may be given again.")  # fmt: skip
@json_option
@click.pass_context
def topics(
    ctx: click.Context, /, categories: tuple[str, ...], as_json: bool, **orders: bool
) -> None:
    """Topics by size or change over the last four complete weeks."""
    wanted = [order for order, is_asked in orders.items() if is_asked]
    wanted += [f"cat:{' '.join(categories)}"] if categories else []
    if len(wanted) > 1:
        named = " and ".join(f"--{each.partition(':')[0]}" for each in wanted)
        raise click.UsageError(f"{named.replace('--cat', '--category')} are two questions; ask one")
    with opened(ctx) as rooms:
        actor = Actor(Identity("console", "", "operator"), operator=True)
        answered(ctx, rooms.core.execute(actor, " ".join(["topics", *wanted])), as_json=as_json)


@click.command()
@click.argument("identity", type=Who())
@click.option("--past", is_flag=True, help="An example of the newest papers, no news too.")
@json_option
@click.pass_context
def preview(ctx: click.Context, identity: Identity, past: bool, as_json: bool) -> None:
    """The digest as it would be now; nothing is recorded."""
    with opened(ctx) as rooms:
        digest = rooms.core.preview(identity, past=past)
    if digest is None:
        click.echo(f"Error: {identity} is not known here; see paperround people ls", err=True)
        ctx.exit(1)
    if as_json:
        click.echo(in_json(digest))
        return
    console = Console()
    content = console.render(digest)[0].content
    asyncio.run(console.send(Part(0, 0, "preview", "", content)))
    if not digest.sections:
        click.echo(_instead(called(Options.of(ctx)), identity, past=past), err=True)


def _instead(me: str, identity: Identity, *, past: bool) -> str:
    """What to type where a preview has no paper to show."""
    if past:
        return f"{me} backfill --weeks 12 reads the past."
    return (
        f"{me} preview {shlex.quote(str(identity))} --past shows an example of the newest papers."
    )


@click.command()
@click.argument("identity", type=Who())
@click.argument("arxiv_id")
@json_option
@click.pass_context
def explain(ctx: click.Context, identity: Identity, arxiv_id: str, as_json: bool) -> None:
    """Why a paper came to someone, or did not: follow, mute, told, score, ledger."""
    with opened(ctx) as rooms:
        answered(ctx, rooms.core.explain(identity, arxiv_id), as_json=as_json)
