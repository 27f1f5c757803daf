import { ERRORS, type ErrorCode } from '@meetmark/contracts';
import { ApiResponse } from '@nestjs/swagger';
import { ref, type AnswerName } from './answer-schemas.js';

/** A schema by name, a list of it, a page of it (with X-Total-Count and Link), another media type, or nothing. */
export type Answers =
  | AnswerName
  | `${AnswerName}[]`
  | `page of ${AnswerName}`
  | `${AnswerName} or null`
  | `${string}/${string}`
  | null;

const PAGE_HEADERS = {
  'X-Total-Count': { description: 'How many match, over all pages', schema: { type: 'integer' } },
  Link: { description: 'rel="next": the address of the next page', schema: { type: 'string' } },
} as const;

const RETRY_AFTER = { 'Retry-After': { description: 'Seconds', schema: { type: 'integer' } } } as const;

/** Public answers carry an ETag. */
export const UNCHANGED = ApiResponse({
  status: 304,
  description: 'What the client has, by `If-None-Match`, still holds',
});

export function answerResponse(status: number, answer: Answers): MethodDecorator {
  if (answer === null) return ApiResponse({ status, description: 'Done' });
  const [, name = '', array, nullable] = /^(?:page of )?(\w+)(\[\])?( or null)?$/.exec(answer) ?? [];
  if (name === '') return ApiResponse({ status, description: 'The document', content: { [answer]: {} } });
  const page = answer.startsWith('page of ');
  const one = nullable ? { oneOf: [ref(name), { type: 'null' }] } : ref(name);
  const schema = array || page ? { type: 'array', items: one } : one;
  return ApiResponse({
    status,
    description: page ? 'The list, or with `limit` one page of it' : 'The answer',
    ...(page ? { headers: PAGE_HEADERS } : {}),
    schema,
  });
}

/** One response a status, naming the codes that it can carry. */
export function refusals(codes: Set<ErrorCode>): MethodDecorator[] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].map(([status, group]) =>
    ApiResponse({
      status,
      description: group.map((code) => `\`${code}\` ${ERRORS[code].message}`).join('\n\n'),
      ...(status === 429 || status === 503 ? { headers: RETRY_AFTER } : {}),
      schema: { allOf: [ref('Error'), { properties: { code: { enum: group } } }] },
    }),
  );
}
