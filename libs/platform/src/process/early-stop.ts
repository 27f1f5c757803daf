// main.ts must import this file first and load the rest by `await import()`. Otherwise, process 1 of a
// container would ignore signals while modules load.
import { leaveWhenAskedToStop } from './stop-requests.js';

leaveWhenAskedToStop();
