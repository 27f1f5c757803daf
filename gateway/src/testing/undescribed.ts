import type { Answer, AskedCall } from '@meetmark/testing/http-client';
import type { OpenAPIObject } from '@nestjs/swagger';

interface Refusal {
  content?: Record<string, { schema?: { allOf?: { properties?: { code?: { enum?: string[] } } }[] } }>;
}

const FIRST_REFUSAL = 400;

/**
 * Reports an error code that the API description of a call lacks. Returns undefined if the code isn't
 * missing, or if there is no description of the call.
 */
export function undescribed(
  { paths }: OpenAPIObject,
  { method, path }: AskedCall,
  { status, body }: Answer,
): string | undefined {
  const { code } = (body ?? {}) as { code?: string };
  if (status < FIRST_REFUSAL || code === undefined || code === 'METHOD_NOT_ALLOWED') return undefined;
  const described = findCall(paths, method, path.split('?', 1)[0]!);
  if (described === undefined) return undefined;
  const { allOf = [] } = described.responses[status]?.content?.['application/json']?.schema ?? {};
  const codes = allOf.flatMap(({ properties }) => properties?.code?.enum ?? []);
  return codes.includes(code)
    ? undefined
    : `${method} ${path} answers ${status} ${code}, which is not described`;
}

/** Finds the description of a call. Like routers, prefers the path with fewer parameters. */
function findCall(paths: OpenAPIObject['paths'], method: string, path: string) {
  const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
  const [found] = Object.entries(paths)
    .filter(([template, methods]) => wanted in methods && toPattern(template).test(path))
    .toSorted(([one], [other]) => one.split('{').length - other.split('{').length);
  return found && (found[1] as Record<string, { responses: Record<string, Refusal> }>)[wanted];
}

const patterns = new Map<string, RegExp>();

function toPattern(template: string): RegExp {
  let pattern = patterns.get(template);
  if (pattern === undefined) {
    pattern = new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`);
    patterns.set(template, pattern);
  }
  return pattern;
}
