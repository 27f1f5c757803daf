import english from './catalogues/en-US/admin.json' with { type: 'json' };
import { said } from './say';

export const {
  adminText,
  adminDashboardText,
  adminUsersText,
  adminEventsText,
  adminAuditText,
  adminSystemText,
} = said<
  typeof english,
  {
    adminText: {
      pages: [list: string];
      range: [from: number, to: number, total: string];
      actionFor: [action: string, subject: string];
      select: [subject: string];
      selected: [count: number];
      selectionOf: [list: string];
    };
    adminDashboardText: {
      eventsPerMonth: [figure: string];
      usersPerWeek: [figure: string];
      eventsPerWeek: [figure: string];
      day: [name: string];
      total: [total: string];
      averageOfActive: [perActiveDay: string, perDay: string];
      average: [perDay: string];
      nearestOf: [shown: number, total: string];
    };
    adminUsersText: {
      used: [registered: string, attended: string, noShows: string];
      historyBy: [what: string, who: string];
      factorsRemoved: [first: string, last: string];
      promoted: [first: string, last: string];
      demoted: [first: string, last: string];
      resetCodeSent: [email: string];
      draftSubject: [community: string];
      draftBody: [first: string, community: string, password: string, address: string];
      questions: {
        promote: { question: [firstName: string, lastName: string, email: string] };
        demote: { question: [firstName: string, lastName: string, email: string] };
        resetEmail: { question: [firstName: string, lastName: string, email: string] };
        removeFactors: { question: [firstName: string, lastName: string, email: string] };
        remove: { question: [firstName: string, lastName: string, email: string] };
      };
    };
    adminEventsText: {
      registeredOf: [count: string, capacity: string];
      waiting: [count: string];
      deleteQuestion: [title: string];
      deleteWarning: [registered: number];
      deleteTold: [people: number];
    };
    adminAuditText: {
      becomes: [before: string, after: string];
    };
    adminSystemText: {
      replicas: [count: number];
      withoutPictures: [count: number];
      seconds: [seconds: string];
      schedulerTick: [moment: string];
      testMailSent: [email: string];
    };
  }
>(english);

interface Person {
  firstName: string;
  lastName: string;
  email: string;
}

/** What is asked before something is done to an account. */
export function userQuestion(
  name: keyof typeof adminUsersText.questions,
  { firstName, lastName, email }: Person,
) {
  const words = adminUsersText.questions[name];
  return { ...words, question: words.question(firstName, lastName, email) };
}
