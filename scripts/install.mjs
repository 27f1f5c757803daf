// npm run lint, unused, typecheck, format, house, build: what a fresh clone, or one that was only started, does not have yet.
import { command } from './bootstrap/command.mjs';

command(() => undefined);
