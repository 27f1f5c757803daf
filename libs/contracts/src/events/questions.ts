import { IsBoolean, IsIn, ValidateBy } from 'class-validator';
import { cutText } from '../cut-text.js';
import type { FieldErrors } from '../errors.js';
import { LIMITS } from '../limits.js';
import { toNfc } from '../normalise.js';
import {
  About,
  IfGiven,
  IsFilled,
  IsId,
  ListOfLines,
  SingleLine,
  inLowerCase,
  isPlainText,
  rewritten,
} from '../validation.js';

export const QUESTION_KINDS = ['text', 'choice', 'yesNo'] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface Question {
  /** Unique within an event. Copies in a series have the same id. */
  id: string;
  kind: QuestionKind;
  label: string;
  required: boolean;
  options: string[];
}

/** Answers by question id. Unanswered questions are missing. */
export type Answers = Record<string, string | boolean>;

/** Null and '' mean no answer. */
export type GivenAnswers = Record<string, string | boolean | null>;

const optionsFit = ({ kind, options = [] }: Pick<QuestionFields, 'kind' | 'options'>) =>
  !Array.isArray(options) || (kind === 'choice' ? options.length >= LIMITS.optionsMin : options.length === 0);

export class QuestionFields {
  @About(
    'ID of an existing question. Default: the question of the event with the same kind and label, otherwise a new one',
  )
  @IfGiven()
  @rewritten(inLowerCase, LIMITS.id)
  @IsId()
  id?: string;

  @About('`text`, `choice` of one option, or `yesNo`')
  @IsIn(QUESTION_KINDS)
  kind!: QuestionKind;

  @About('The question', 'Any dietary requirements?')
  @SingleLine(LIMITS.questionLabel)
  @IsFilled('label is required')
  label!: string;

  @About('Whether registering needs an answer. Default: false')
  @IfGiven()
  @IsBoolean()
  required?: boolean;

  @About('Options of a `choice`')
  @ListOfLines(LIMITS.options, LIMITS.optionLabel)
  @ValidateBy({
    name: 'isOptions',
    validator: {
      validate: (_, args) => optionsFit(args!.object as QuestionFields),
      defaultMessage: (args) =>
        (args!.object as QuestionFields).kind === 'choice'
          ? `$property must have at least ${LIMITS.optionsMin} items`
          : '$property are only for a choice',
    },
  })
  options: string[] = [];
}

export const HAS_OWN_ID = {
  holds: ({ id }: QuestionFields, index: number, list: QuestionFields[]) =>
    id === undefined || list.findIndex((other) => other.id === id) === index,
  otherwise: 'has the id of another question',
};

function findFault(answers: unknown): string | null {
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
    return ' must be an object with answers by question ID';
  const entries = Object.entries(answers);
  if (entries.length > LIMITS.questions) return ` must have at most ${LIMITS.questions} answers`;
  const odd = entries.find(
    ([, answer]) => answer !== null && typeof answer !== 'string' && typeof answer !== 'boolean',
  );
  return odd === undefined ? null : `.${cutText(odd[0], LIMITS.name)} must be a string, true or false`;
}

/** Validates the structure only. `checkAnswers` compares the answers with the questions. */
export const IsAnswers = () =>
  ValidateBy({
    name: 'isAnswers',
    constraints: [LIMITS.questions],
    validator: {
      validate: (value) => findFault(value) === null,
      defaultMessage: (args) => `${args!.property}${findFault(args!.value)}`,
    },
  });

function faultOfAnswer({ kind, options }: Question, answer: string | boolean): string | null {
  if (kind === 'yesNo') return typeof answer === 'boolean' ? null : 'Answer with yes or no';
  if (typeof answer !== 'string')
    return kind === 'choice' ? 'Choose one of the options' : 'Answer with a text';
  if (kind === 'choice') return options.includes(answer) ? null : 'Choose one of the options';
  if (answer.length > LIMITS.answer) return `Use at most ${LIMITS.answer} characters`;
  return isPlainText(answer) ? null : 'Use text without control characters';
}

/**
 * Trims answers and converts them to NFC. Reports errors by field: `answers.<id>`.
 * @param complete whether required questions must have an answer
 */
export function checkAnswers(
  questions: Question[],
  given: GivenAnswers = {},
  { complete = true } = {},
): { answers: Answers; problems: FieldErrors } {
  const answers: Answers = {};
  const problems: FieldErrors = {};
  const byId = new Map(
    Object.entries(given).map(([id, answer]) => [
      id.toLowerCase(),
      typeof answer === 'string' ? toNfc(answer) : answer,
    ]),
  );
  for (const question of questions) {
    const raw = byId.get(question.id) ?? null;
    byId.delete(question.id);
    const answer =
      typeof raw === 'string' && raw.length <= LIMITS.answer && question.kind === 'text' ? raw.trim() : raw;
    const refuse = (fault: string) => {
      problems[`answers.${question.id}`] = [`${question.label}: ${fault}`];
    };
    if (answer === null || answer === '') {
      if (question.required && complete) refuse('An answer is required');
      continue;
    }
    const fault = faultOfAnswer(question, answer);
    if (fault === null) answers[question.id] = answer;
    else refuse(fault);
  }
  for (const id of byId.keys()) {
    const field = `answers.${cutText(id, LIMITS.name)}`;
    problems[field] = [`${field} is not a question of this event`];
  }
  return { answers, problems };
}

export interface AnswerSummary {
  questionId: string;
  /**
   * Number of answers, including those from cancelled and waiting people. While it is 0, the question can be
   * changed.
   */
  answered: number;
  /** Answers of registered people only. */
  counts: { answer: string | boolean; count: number }[];
}
