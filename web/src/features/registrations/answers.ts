import type { GivenAnswers, Question } from '@meetmark/contracts';
import { cardText } from '@meetmark/i18n/texts/event-page';

/** Answers by the API's field name. The form stores even yes/no answers as strings. */
export type AnswerFields = Record<`answers.${string}`, string>;

export const answerField = ({ id }: Question) => `answers.${id}` as const;

export const unanswered = (questions: Question[], fields: AnswerFields): AnswerFields =>
  Object.fromEntries(
    questions
      .filter((question) => question.required && !fields[answerField(question)]?.trim())
      .map((question) => [answerField(question), cardText.answerRequired]),
  );

export const givenAnswers = (questions: Question[], fields: AnswerFields): GivenAnswers =>
  Object.fromEntries(
    questions.map((question) => {
      const value = fields[answerField(question)] || null;
      return [question.id, question.kind === 'yesNo' && value ? value === 'yes' : value];
    }),
  );
