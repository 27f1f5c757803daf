import type { RequestClass } from '@meetmark/contracts';

export interface RequestClasses {
  body?: RequestClass;
  query?: RequestClass;
}

const CLASSES = Symbol('request classes');
/** Of the whole process: each becomes a schema of the document. */
const bodies = new Set<RequestClass>();

/** Remembers what a method declares of its request, for the document that describes it. */
export function declareRequest(target: object, method: string | symbol, classes: RequestClasses): void {
  Reflect.defineMetadata(CLASSES, { ...requestClasses(target, method), ...classes }, target, method);
  if (classes.body !== undefined) bodies.add(classes.body);
}

export const requestClasses = (target: object, method: string | symbol): RequestClasses =>
  (Reflect.getMetadata(CLASSES, target, method) as RequestClasses | undefined) ?? {};

export const bodyClasses = (): RequestClass[] => [...bodies];
