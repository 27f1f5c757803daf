import type { GivenAnswers, Question } from '@meetmark/contracts';
import { cardText } from '@meetmark/contracts/texts/event-page';

/** What is typed or chosen, by the field as the server calls it. Yes and no are words here. */
export type AnswerFields = Record<`answers.${string}`, string>;

export const answerField = ({ id }: Question) => `answers.${id}` as const;

/** The error of each required question without an answer. */
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
