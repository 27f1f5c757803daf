import { Controller } from '@nestjs/common';
import { GetRegistrationActivity, type ActivityDay, type Nothing } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { ActivityService } from './activity.service.js';

@Controller()
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Handles(GetRegistrationActivity)
  get(_request: Nothing): Promise<ActivityDay[]> {
    return this.activity.lastDays();
  }
}
