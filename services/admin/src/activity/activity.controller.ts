import { Controller } from '@nestjs/common';
import { GetRegistrationActivity, type ActivityDay, type Nothing } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { ActivityRepository } from './activity.repository.js';

@Controller()
export class ActivityController {
  constructor(private readonly activity: ActivityRepository) {}

  @Handles(GetRegistrationActivity)
  get(_request: Nothing): Promise<ActivityDay[]> {
    return this.activity.lastDays();
  }
}
