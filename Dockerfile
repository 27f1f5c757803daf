# One image per process: `docker build --target gateway .`, likewise auth, events, admin, worker and migrate.
# Compose builds on what .env names by digest, once `node scripts/pin-images.mjs` has asked the registry.
ARG NODE_IMAGE=node:24-slim
# Node's binary is all that a process needs of the image above: no npm, no headers.
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app

# What decides about installed packages, and nothing else: a change of source keeps the layers below.
FROM base AS manifests
COPY package.json package-lock.json ./
COPY gateway/package.json gateway/
COPY services/auth/package.json services/auth/
COPY services/events/package.json services/events/
COPY services/admin/package.json services/admin/
COPY services/worker/package.json services/worker/
COPY web/package.json web/
COPY scripts/left-out scripts/left-out
COPY libs/contracts/package.json libs/contracts/
COPY libs/platform/package.json libs/platform/
COPY libs/testing/package.json libs/testing/
COPY scripts/package.json scripts/
COPY e2e/package.json e2e/
COPY bench/package.json bench/

# One download for all installs below, which wait for one another: together they would starve a small machine.
FROM manifests AS build
RUN --mount=type=cache,id=meetmark-npm,target=/root/.npm,sharing=locked \
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund
COPY nx.json tsconfig.base.json .swcrc rolldown.config.mjs ./
COPY libs libs
COPY gateway gateway
COPY services services
COPY web web
COPY docs/handbook docs/handbook
# Whose words no built file may hold.
COPY config/demo/community.json config/demo/
COPY scripts scripts
# Without the types of the texts, which only editors and compilers read.
RUN NX_DAEMON=false npx nx run-many -t build --exclude e2e,bench && find libs/contracts/dist -name '*.d.ts' -delete
# The one package that only the migrator has, listed as the others are.
RUN cp -r node_modules/pg-copy-streams /copy-streams && cd /copy-streams && npm pkg delete devDependencies scripts && \
    npm sbom --sbom-format cyclonedx > /copy-streams.cdx.json

# Production dependencies and nothing else, without what only editors and debuggers read.
FROM manifests AS modules
COPY scripts/install-production.sh /usr/local/bin/install-production
FROM modules AS gateway-modules
RUN --mount=type=cache,id=meetmark-npm,target=/root/.npm,sharing=locked \
    install-production -w @meetmark/gateway
COPY scripts/list-packages.mjs /usr/local/lib/
RUN node /usr/local/lib/list-packages.mjs > sbom.cdx.json
# What the four services and the migrator need differs by little: one layer, which a machine fetches once for all five images.
FROM modules AS service-modules
RUN --mount=type=cache,id=meetmark-npm,target=/root/.npm,sharing=locked \
    install-production -w @meetmark/auth -w @meetmark/events -w @meetmark/admin -w @meetmark/worker
COPY scripts/list-packages.mjs /usr/local/lib/
RUN node /usr/local/lib/list-packages.mjs > sbom.cdx.json

FROM ${NODE_IMAGE} AS node

FROM ${RUNTIME_IMAGE} AS runtime
WORKDIR /app
COPY --from=node /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production OPERATIONS_PORT=9090
# Numeric, so that Kubernetes can see that it is not root.
USER 1000:1000
# Bash alone: a Node process in every container every few seconds would cost more than an idle service.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=5 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$OPERATIONS_PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200 '"]

FROM runtime AS gateway
COPY --from=gateway-modules /app ./
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/gateway/dist gateway/dist
COPY --from=build /app/web/dist web/dist
COPY config/community.json config/
ENV WEB_ROOT=/app/web/dist COMMUNITY_CONFIG=/app/config/community.json
EXPOSE 8080
CMD ["node", "--enable-source-maps", "gateway/dist/process/main.js"]

FROM runtime AS auth
COPY --from=service-modules /app ./
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/auth/dist services/auth/dist
CMD ["node", "--enable-source-maps", "services/auth/dist/process/main.js"]

FROM runtime AS events
COPY --from=service-modules /app ./
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/events/dist services/events/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/events/dist/process/main.js"]

FROM runtime AS admin
COPY --from=service-modules /app ./
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/admin/dist services/admin/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/admin/dist/process/main.js"]

FROM runtime AS worker
COPY --from=service-modules /app ./
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/worker/dist services/worker/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/worker/dist/process/main.js"]

FROM runtime AS migrate
COPY --from=service-modules /app ./
# Of the gateway only its migrations: nothing that listens.
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY gateway/package.json node_modules/@meetmark/gateway/
COPY --from=build /app/gateway/dist/migrations node_modules/@meetmark/gateway/dist/migrations
COPY --from=build /app/services/auth/dist services/auth/dist
COPY --from=build /app/services/events/dist/migrations services/events/dist/migrations
COPY --from=build /app/services/admin/dist/migrations services/admin/dist/migrations
# What the migrator loads of functions, triggers and views.
COPY gateway/src/database gateway/src/database
COPY services/auth/src/database services/auth/src/database
COPY services/events/src/database services/events/src/database
COPY services/admin/src/database services/admin/src/database
COPY --from=build /copy-streams node_modules/pg-copy-streams
COPY --from=build /copy-streams.cdx.json ./
COPY --from=build /app/scripts/dist/*.js scripts/dist/
COPY --from=build /app/scripts/dist/backup scripts/dist/backup
HEALTHCHECK NONE
CMD ["node", "--enable-source-maps", "scripts/dist/migrate.js"]
