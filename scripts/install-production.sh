#!/bin/sh -e
# Production packages of the workspaces named, without what only editors and debuggers read. For the Dockerfile.
npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund "$@"
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
rm -rf node_modules/typeorm/browser
# Optional companions of Nest that npm keeps because something for development brings them along.
rm -rf node_modules/typescript node_modules/@grpc
