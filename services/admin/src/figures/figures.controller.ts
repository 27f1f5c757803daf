import { Controller } from '@nestjs/common';
import {
  GetRegistrationActivity,
  Summarise,
  SummariseAccounts,
  SummariseEvents,
  type ActivityDay,
  type Nothing,
  type Summary,
} from '@meetmark/contracts';
import { Handles, RpcClient } from '@meetmark/platform';
import { ActivityRepository } from './activity.repository.js';

/** The figures of the dashboard. */
@Controller()
export class FiguresController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly activity: ActivityRepository,
  ) {}

  @Handles(GetRegistrationActivity)
  lastDays(_request: Nothing): Promise<ActivityDay[]> {
    return this.activity.lastDays();
  }

  @Handles(Summarise)
  async summarise(_request: Nothing): Promise<Summary> {
    const [accounts, events] = await Promise.all([
      this.rpc.call(SummariseAccounts, {}),
      this.rpc.call(SummariseEvents, {}),
    ]);
    return {
      totalEvents: events.total,
      eventsThisMonth: events.createdLast30Days,
      upcomingEvents: events.upcoming,
      nextEvents: events.nextEvents,
      totalUsers: accounts.total,
      newUsers: accounts.createdLast30Days,
    };
  }
}
