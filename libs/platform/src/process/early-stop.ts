// A main.ts imports this first and all the rest by `await import()`. As process 1 of a container it would otherwise miss a signal
// that comes while its modules load, and wait out its whole grace period.
import { leaveWhenAskedToStop } from './stop-requests.js';

leaveWhenAskedToStop();
