import { type AnswerSummary, DomainError, type Question, type QuestionFields } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';

/** A question without an id gets the id of an existing question of the same kind and label, or a new id. */
export function storedQuestions(given: QuestionFields[], present: Question[]): Question[] {
  const taken = new Set(given.map(({ id }) => id));
  return given.map(({ id, kind, label, required, options }) => {
    const same = present.find(
      (question) => question.kind === kind && question.label === label && !taken.has(question.id),
    );
    const own = id ?? same?.id ?? uuid();
    taken.add(own);
    return { id: own, kind, label, required: required ?? false, options };
  });
}

export const presentQuestions = (questions: Question[]): Question[] =>
  questions.map(({ id, kind, label, required, options }) => ({ id, kind, label, required, options }));

interface AnswerCount {
  questionId: string;
  answer: string | boolean | null;
  answered: number;
  registered: number;
}

export async function summariseAnswers(
  manager: EntityManager,
  eventId: string,
  questions: Question[],
): Promise<AnswerSummary[]> {
  if (questions.length === 0) return [];
  const counts = await manager.query<AnswerCount[]>(
    `SELECT answer.key AS "questionId", CASE WHEN answer.key = ANY ($2::text[]) THEN NULL ELSE answer.value END AS answer,
       count(*)::integer AS answered, (count(*) FILTER (WHERE status = 'registered'))::integer AS registered
     FROM events.event_registrations, jsonb_each(answers) AS answer WHERE event_id = $1 GROUP BY 1, 2`,
    [eventId, questions.filter(({ kind }) => kind === 'text').map(({ id }) => id)],
  );
  return questions.map(({ id, kind, options }) => {
    const own = counts.filter(({ questionId }) => questionId === id);
    const possible = kind === 'yesNo' ? [true, false] : options;
    return {
      questionId: id,
      answered: own.reduce((sum, { answered }) => sum + answered, 0),
      counts: possible.map((answer) => ({
        answer,
        count: own.find((count) => count.answer === answer)?.registered ?? 0,
      })),
    };
  });
}

/** Answered questions may only gain options or change label and `required`. Call it with the event locked. */
export async function requireUnanswered(
  manager: EntityManager,
  eventId: string,
  before: Question[],
  after: Question[],
): Promise<void> {
  const changed = before.filter((question) => {
    const kept = after.find(({ id }) => id === question.id);
    return kept?.kind !== question.kind || !question.options.every((option) => kept.options.includes(option));
  });
  if (changed.length === 0) return;
  const [answered] = await manager.query<{ id: string }[]>(
    `SELECT question.id FROM unnest($2::text[]) WITH ORDINALITY AS question (id, place)
     WHERE EXISTS (SELECT FROM events.event_registrations WHERE event_id = $1 AND answers ? question.id)
     ORDER BY place LIMIT 1`,
    [eventId, changed.map(({ id }) => id)],
  );
  if (answered === undefined) return;
  throw new DomainError('QUESTION_ANSWERED', {
    question: changed.find(({ id }) => id === answered.id)!.label,
  });
}
