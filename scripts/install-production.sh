#!/bin/sh -e
# Production packages of the workspaces named, without what only editors and debuggers read. For the Dockerfile.
# npm follows a workspace that others need for development only, and installs what that one needs: a browser, say.
npm pkg delete devDependencies --workspaces
npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund "$@"
find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
rm -rf node_modules/typeorm/browser
# An optional companion of Nest's.
rm -rf node_modules/typescript
