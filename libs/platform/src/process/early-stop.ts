// A main.ts imports this first and everything else by `await import()`. Otherwise process 1 of a container would ignore a signal that
// arrives while its modules load, and use up its whole grace period.
import { leaveWhenAskedToStop } from './stop-requests.js';

leaveWhenAskedToStop();
