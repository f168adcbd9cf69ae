"""A topic's face, for a card in Slack, a preview and the page."""

from bot.core.commands.errand import Errand
from bot.core.pipeline.digests.composing import tag
from bot.core.reply import TopicCard
from bot.matching import cut
from bot.model import Breadth, Topic

RELATED = 6


def card_of(errand: Errand, topic: Topic) -> TopicCard:
    """What a topic is, whether it heats up, and what lies next to it."""
    house = errand.house
    standing = house.store.people.following(errand.subscriber, topic.id)
    topics = house.compendium.topics()
    near = [
        topics[i]
        for i in house.store.topics.related(topic.id, cut(Breadth.BALANCED), RELATED)
        if i in topics
    ]
    momenta = errand.house.heat.of(near)
    return TopicCard(
        topic=topic,
        glossary=house.language.glossary(topic.name),
        momentum=errand.house.heat.of_one(topic),
        related=tuple((tag(house, t), momenta[t.id]) for t in near),
        followed=standing is not None,
        muted_until=standing.at(errand.now).muted_until if standing else None,
        url=tag(house, topic).url,
    )
