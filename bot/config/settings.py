"""All that an operator may set, as one frozen object, and which of its origins wins."""

from pathlib import Path
from typing import Any

from pydantic import field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from bot.config import files
from bot.config.environment import PREFIX, names_a_file
from bot.config.tables import Arxiv, Ask, Digest, Mail, Operator, Slack, Web
from bot.config.values import folder


class Config(BaseSettings):
    """Everything an operator may set.  Made by `load`; frozen."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_nested_delimiter="__", env_ignore_empty=True, extra="forbid",
        frozen=True,
    )  # fmt: skip

    data: Path = Path("paperround-data")
    digest: Digest = Digest()
    arxiv: Arxiv = Arxiv()
    mail: Mail = Mail()
    slack: Slack = Slack()
    web: Web = Web()
    ask: Ask = Ask()
    operator: Operator = Operator()

    @field_validator("data", mode="before")
    @classmethod
    def _home(cls, value: Any) -> Any:
        return folder(value) if isinstance(value, str) else value

    @model_validator(mode="after")
    def _returning(self) -> "Config":
        """Whoever installed the app is sent back to our pages."""
        if self.slack.client_id and not self.web.address:
            raise ValueError(
                "slack.client_id is set, but web.address is empty, so Slack could send nobody "
                "back; set it to where people reach the pages"
            )
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Secret files first (`load` reads NAME_FILE), then the environment, then the TOML file."""
        if isinstance(env_settings, EnvSettingsSource):
            env_settings.env_vars = {
                name: value
                for name, value in env_settings.env_vars.items()
                if not names_a_file(name)
            }
        return (init_settings, env_settings, _Written(settings_cls))


class _Written(TomlConfigSettingsSource):
    """The file, with our words for what is wrong in it."""

    def _read_file(self, file_path: Any) -> dict[str, Any]:
        return files.read(file_path)
