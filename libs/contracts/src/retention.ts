/**
 * Settings for how many days data is kept, with the lowest value allowed. Database functions enforce these
 * limits too.
 */
export const RETENTION = {
  auditNamesDays: 30,
  answersDays: 30,
  checkInsDays: 30,
  unconfirmedAccountsDays: 7,
} as const;
export type RetentionSetting = keyof typeof RETENTION;
export const RETENTION_SETTINGS = Object.keys(RETENTION) as RetentionSetting[];
export const RETENTION_MAX = 3_650;
