#!/bin/sh -e
# For the Dockerfile: installs the given workspaces' production packages, without files for editors, debuggers and tests.
# Otherwise, npm would install the dependencies of workspaces that only tests use, such as a browser.
npm pkg delete devDependencies --workspaces
npm ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund "$@"
find . -path '*/node_modules/*' -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.md' \) -delete
find . -path '*/node_modules/*' -type d \( -name test -o -name tests -o -name benchmark -o -name benchmarks -o -name examples \) -prune -exec rm -rf {} +
# Node never loads these files for browsers and other module systems.
rm -rf node_modules/typeorm/browser node_modules/rxjs/src node_modules/rxjs/dist/esm node_modules/rxjs/dist/esm5 node_modules/rxjs/dist/types \
    node_modules/*/bundles node_modules/swagger-ui-dist/swagger-ui-es-* node_modules/swagger-ui-dist/swagger-ui.js
