import { IsBoolean, IsIn, IsOptional, ValidateBy } from 'class-validator';
import type { FieldErrors } from './errors.js';
import { LIMITS } from './limits.js';
import {
  IfGiven,
  IsFilled,
  IsId,
  ListOfLines,
  SingleLine,
  inLowerCase,
  isPlainText,
  rewritten,
} from './validation.js';

// What an event asks those who register, and what they answer.

/** A text, one of several options, or yes or no. */
export const QUESTION_KINDS = ['text', 'choice', 'yesNo'] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface Question {
  /** Unique within the event; the events of a series share it. */
  id: string;
  kind: QuestionKind;
  label: string;
  /** A registration without an answer to it is refused. */
  required: boolean;
  /** The options of a choice; empty for other kinds. */
  options: string[];
}

/** By the id of the question: the text, the chosen option, or whether yes. A question without an answer is absent. */
export type Answers = Record<string, string | boolean>;

/** As forms send them: null and '' are no answer. */
export type GivenAnswers = Record<string, string | boolean | null>;

const optionsFit = ({ kind, options = [] }: Pick<QuestionFields, 'kind' | 'options'>) =>
  !Array.isArray(options) || (kind === 'choice' ? options.length >= LIMITS.optionsMin : options.length === 0);

export class QuestionFields {
  /** Left out: that of the question of the event with the same kind and label, else a new one. */
  @IfGiven()
  @rewritten(inLowerCase, LIMITS.id)
  @IsId()
  id?: string;

  @IsIn(QUESTION_KINDS)
  kind!: QuestionKind;

  @SingleLine(LIMITS.questionLabel)
  @IsFilled('label is required')
  label!: string;

  /** Left out: it is not. */
  @IsOptional()
  @IsBoolean()
  required?: boolean;

  /** The options of a choice, each once. */
  @ListOfLines(LIMITS.options, LIMITS.optionLabel)
  @ValidateBy({
    name: 'isOptions',
    validator: {
      validate: (_, args) => optionsFit(args!.object as QuestionFields),
      defaultMessage: (args) =>
        (args!.object as QuestionFields).kind === 'choice'
          ? `$property must be ${LIMITS.optionsMin} or more`
          : '$property are for a choice only',
    },
  })
  options: string[] = [];
}

/** The rule of a list of questions. */
export const HAS_OWN_ID = {
  holds: ({ id }: QuestionFields, index: number, list: QuestionFields[]) =>
    id === undefined || list.findIndex((other) => other.id === id) === index,
  otherwise: 'has the id of another question',
};

/** What is wrong with the shape of answers, naming the one; null when nothing is. */
function faultOf(answers: unknown): string | null {
  if (typeof answers !== 'object' || answers === null || Array.isArray(answers))
    return ' must be an object of answers by the ids of their questions';
  const entries = Object.entries(answers);
  if (entries.length > LIMITS.questions)
    return ` has too many answers: there are ${LIMITS.questions} at most`;
  const odd = entries.find(
    ([, answer]) => answer !== null && typeof answer !== 'string' && typeof answer !== 'boolean',
  );
  return odd === undefined ? null : `.${odd[0].slice(0, LIMITS.name)} must be a text, true or false`;
}

/** An object of answers; `checkAnswers` decides whether they fit the questions. */
export const IsAnswers = () =>
  ValidateBy({
    name: 'isAnswers',
    constraints: [LIMITS.questions],
    validator: {
      validate: (value) => faultOf(value) === null,
      defaultMessage: (args) => `${args!.property}${faultOf(args!.value)}`,
    },
  });

/** What is wrong with an answer, as people read it; null when nothing is. */
function faultOfAnswer({ kind, options }: Question, answer: string | boolean): string | null {
  if (kind === 'yesNo') return typeof answer === 'boolean' ? null : 'Answer with yes or no';
  if (typeof answer !== 'string')
    return kind === 'choice' ? 'Choose one of the options' : 'Answer with a text';
  if (kind === 'choice') return options.includes(answer) ? null : 'Choose one of the options';
  if (answer.length > LIMITS.answer) return `Use at most ${LIMITS.answer} characters`;
  return isPlainText(answer) ? null : 'Use text without control characters';
}

/**
 * The answers as they are stored, texts trimmed, and what is wrong with them by field: `answers.<id>`.
 * @param complete false: required questions may stay open
 */
export function checkAnswers(
  questions: Question[],
  given: GivenAnswers = {},
  { complete = true } = {},
): { answers: Answers; problems: FieldErrors } {
  const answers: Answers = {};
  const problems: FieldErrors = {};
  const byId = new Map(Object.entries(given).map(([id, answer]) => [id.toLowerCase(), answer]));
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
    const field = `answers.${id.slice(0, LIMITS.name)}`;
    problems[field] = [`${field} is no question of this event`];
  }
  return { answers, problems };
}

/** How often each answer was given. */
export interface AnswerSummary {
  questionId: string;
  /** People who answered it, also those who wait or have given their place up: then it is locked. */
  answered: number;
  /** Each possible answer to a choice or yes-no question, and how many of those who have a place gave it. */
  counts: { answer: string | boolean; count: number }[];
}
