# Paperround in a container: no compiler, no root, nothing written outside of /data.
#
#   docker build -t paperround .
#   docker run --read-only --tmpfs /tmp -v paperround:/data -p 127.0.0.1:8460:8460 paperround
#
# Pin the base by digest for builds that must be repeatable: --build-arg BASE=python@sha256:…
ARG BASE=python:3.12-slim-bookworm

FROM ${BASE} AS wheels
WORKDIR /src
COPY pyproject.toml README.md LICENSE ./
COPY bot bot
COPY config config
RUN pip wheel --no-cache-dir --wheel-dir /wheels ".[sqlite]"

FROM ${BASE}
LABEL org.opencontainers.image.title="Paperround" \
      org.opencontainers.image.licenses="Apache-2.0"
# The extra “sqlite” brings a SQLite newer than the base image's (3.51.3 mends a rare fault).
RUN --mount=type=bind,from=wheels,source=/wheels,target=/wheels \
    pip install --no-cache-dir --no-index --find-links /wheels "paperround[sqlite]" \
    && groupadd --system --gid 10001 paperround \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin paperround \
    && install -d -o paperround -g paperround -m 0700 /data
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TZ=UTC \
    PAPERROUND_DATA=/data \
    PAPERROUND_WEB__HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8460
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
    CMD ["paperround", "healthcheck"]
ENTRYPOINT ["paperround"]
CMD ["run"]
