import type { ActivityDay } from '@meetmark/contracts';
import { adminDashboardText as text } from '../../../strings/admin';

export interface ActivityFigures {
  total: number;
  /** Days on which somebody registered. */
  activeDays: number;
  days: number;
}

export function activityFigures(days: ActivityDay[]): ActivityFigures {
  return {
    total: days.reduce((sum, { registrations }) => sum + registrations, 0),
    activeDays: days.filter(({ registrations }) => registrations > 0).length,
    days: days.length,
  };
}

/** Two averages when some days were quiet; one when every day was alike in that, because the two would be equal. */
export function averageText(
  { total, activeDays, days }: ActivityFigures,
  count: (n: number) => string,
): string {
  const perDay = count(days === 0 ? 0 : total / days);
  return activeDays === 0 || activeDays === days
    ? text.average(perDay)
    : text.averageOfActive(count(total / activeDays), perDay);
}
