import { defineMessage, Nothing } from './message.js';

/** Registrations of one day in the community's time zone. */
export interface ActivityDay {
  /** Short English name of the day: 'Mon'. */
  name: string;
  registrations: number;
}

/** Exactly 7 items, oldest first, today last, zero days included. */
export const GetRegistrationActivity = defineMessage({
  service: 'admin',
  name: 'activity.get',
  access: 'admin',
  request: Nothing,
})<ActivityDay[]>();
