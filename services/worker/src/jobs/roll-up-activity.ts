import { RollUpActivity } from '@meetmark/contracts';
import { RegistrationActivity } from '../activity/registration-activity.js';
import { HandlesJob, type JobHandler } from './job-handler.js';

/** Days, more than any figure shown looks back. What changes further back is settled every hour, see CleanUpJob. */
const DAYS = 40;

@HandlesJob(RollUpActivity)
export class RollUpActivityJob implements JobHandler {
  constructor(private readonly activity: RegistrationActivity) {}

  handle(): Promise<void> {
    return this.activity.rollUp(DAYS);
  }
}
