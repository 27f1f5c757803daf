import { catalogue } from './catalogue';
import english from './catalogues/en-US/dashboard.json' with { type: 'json' };
import { say } from './say';

const texts = catalogue('dashboard', english).dashboardText;

export const dashboardText = {
  ...texts,
  welcome: (firstName: string) => say(texts.welcome, { firstName }),
  createdThisMonth: (count: number) => say(texts.createdThisMonth, { count }),
  thisMonthCaption: (month: string) => say(texts.thisMonthCaption, { month }),
  viewAllOf: (list: string) => say(texts.viewAllOf, { list }),
};
