#!/bin/sh -e
# Production packages of the workspaces named, without what only editors and debuggers read. For the Dockerfile.
npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund "$@"
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
rm -rf node_modules/typeorm/browser
