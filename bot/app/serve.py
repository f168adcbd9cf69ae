"""All doors and the clockwork in one loop."""

from bot.app.clockwork import Service
from bot.app.wiring import Rooms


async def serve(rooms: Rooms) -> None:
    """Run the service with its doors until it is told to stop."""
    await Service(rooms).run()
