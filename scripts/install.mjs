// Installs missing packages. Runs before npm run lint, unused, typecheck, format and build.
import { command } from './support/command.mjs';

command(() => undefined);
