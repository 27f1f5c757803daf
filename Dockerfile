# Builds one image per process, for example `docker build --target gateway .`. Other targets: auth, events, admin, worker, migrate.
# `node scripts/pin-images.mjs` writes the digests of both base images to .env, which Compose reads.
ARG NODE_IMAGE=node:24-slim
# Processes run in a smaller image, which contains only Node's binary: no npm and no headers.
ARG RUNTIME_IMAGE=debian:bookworm-slim

FROM ${NODE_IMAGE} AS base
WORKDIR /app

# Copies only the files that determine the installed packages, so that source changes don't invalidate the layers below.
FROM base AS manifests
COPY package.json package-lock.json ./
COPY gateway/package.json gateway/
COPY services/auth/package.json services/auth/
COPY services/events/package.json services/events/
COPY services/admin/package.json services/admin/
COPY services/worker/package.json services/worker/
COPY web/package.json web/
COPY libs/i18n/package.json libs/i18n/
COPY libs/contracts/package.json libs/contracts/
COPY libs/platform/package.json libs/platform/
COPY libs/testing/package.json libs/testing/
COPY scripts/package.json scripts/
COPY e2e/package.json e2e/
COPY bench/package.json bench/

# All installs share npm's cache. `locked` makes them take turns, because parallel installs would overload a small machine.
FROM manifests AS build
RUN --mount=type=cache,id=meetmark-npm,target=/root/.npm,sharing=locked \
    npm ci --ignore-scripts --prefer-offline --no-audit --no-fund
COPY nx.json tsconfig.base.json .swcrc rolldown.config.mjs ./
COPY libs libs
COPY gateway gateway
COPY services services
COPY web web
COPY docs/handbook docs/handbook
COPY scripts scripts
# Deletes the type declarations of the texts, which only editors and compilers read, and source maps of modules
# that processes run only as a part of the bundles in dist/process.
RUN NX_DAEMON=false npx nx run-many -t build --exclude e2e,bench && find libs/i18n/dist -name '*.d.ts' -delete \
  && find gateway libs services -name '*.js.map' ! -path '*/process/*' ! -path '*/node_modules/*' -delete

FROM manifests AS modules
COPY scripts/install-production.sh /usr/local/bin/install-production
FROM modules AS gateway-modules
RUN --mount=type=cache,id=meetmark-npm,target=/root/.npm,sharing=locked \
    install-production -w @meetmark/gateway
COPY scripts/list-packages.mjs /usr/local/lib/
RUN node /usr/local/lib/list-packages.mjs > sbom.cdx.json
# The services and the migrator need almost the same packages. They share one layer, which a machine downloads once.
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
# Kubernetes can verify `runAsNonRoot` only for a numeric user.
USER 1000:1000
# Uses only Bash, because a Node process for every check would cost more than an idle service.
HEALTHCHECK --interval=5s --timeout=5s --start-period=60s --retries=5 \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$OPERATIONS_PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && head -1 <&3 | grep -q ' 200 '"]

FROM runtime AS gateway
COPY --from=gateway-modules /app ./
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
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
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/auth/dist services/auth/dist
CMD ["node", "--enable-source-maps", "services/auth/dist/process/main.js"]

FROM runtime AS events
COPY --from=service-modules /app ./
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/events/dist services/events/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/events/dist/process/main.js"]

FROM runtime AS admin
COPY --from=service-modules /app ./
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/admin/dist services/admin/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/admin/dist/process/main.js"]

FROM runtime AS worker
COPY --from=service-modules /app ./
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
COPY --from=build /app/services/worker/dist services/worker/dist
COPY config/community.json config/
ENV COMMUNITY_CONFIG=/app/config/community.json
CMD ["node", "--enable-source-maps", "services/worker/dist/process/main.js"]

FROM runtime AS migrate
COPY --from=service-modules /app ./
COPY --from=build /app/libs/i18n/dist libs/i18n/dist
COPY --from=build /app/libs/contracts/dist libs/contracts/dist
COPY --from=build /app/libs/platform/dist libs/platform/dist
# Copies only the gateway's migrations, not its server.
COPY gateway/package.json node_modules/@meetmark/gateway/
COPY --from=build /app/gateway/dist/migrations node_modules/@meetmark/gateway/dist/migrations
COPY --from=build /app/services/auth/dist services/auth/dist
COPY --from=build /app/services/events/dist/migrations services/events/dist/migrations
COPY --from=build /app/services/admin/dist/migrations services/admin/dist/migrations
# The migrator loads functions, triggers and views from these SQL files.
COPY gateway/src/database gateway/src/database
COPY services/auth/src/database services/auth/src/database
COPY services/events/src/database services/events/src/database
COPY services/admin/src/database services/admin/src/database
COPY --from=build /app/scripts/dist/*.js scripts/dist/
COPY --from=build /app/scripts/dist/seed scripts/dist/seed
HEALTHCHECK NONE
CMD ["node", "--enable-source-maps", "scripts/dist/migrate.js"]
