import english from './catalogues/en-US/dashboard.json' with { type: 'json' };
import { said } from './say';

export const { dashboardText } = said<
  typeof english,
  {
    dashboardText: {
      welcome: [firstName: string];
      createdThisMonth: [count: number];
      thisMonthCaption: [month: string];
      viewAllOf: [list: string];
    };
  }
>(english);
