// npm run lint, unused, typecheck, format, build: installs missing packages first
import { command } from './support/command.mjs';

command(() => undefined);
