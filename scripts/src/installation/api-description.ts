import { UUID_PATTERN } from '@meetmark/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Answer, AskedCall } from '@meetmark/testing/http-client';

export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

interface Operation {
  operationId: string;
  'x-access': 'public' | 'member' | 'admin';
  parameters?: { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }[];
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
  responses: Record<string, { content?: Record<string, { schema?: JsonSchema }> }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

export interface DescribedCall {
  method: string;
  path: string;
  operation: Operation;
}

/** Formats that are checked in responses. `email` and `uri` occur only in requests, so they always pass. */
const FORMATS = {
  uuid: UUID_PATTERN,
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  email: true,
  uri: true,
} as const;

const escapePointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');

export class ApiDescription {
  readonly calls: DescribedCall[];
  private readonly ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS });

  private constructor(private readonly document: Document) {
    this.ajv.addSchema(document, 'api');
    this.calls = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
      })),
    );
  }

  static async read(url: string): Promise<ApiDescription> {
    const response = await fetch(`${url}/api/openapi.json`);
    return new ApiDescription((await response.json()) as Document);
  }

  resolved(schema: JsonSchema): JsonSchema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (this.document.components.schemas[name] ?? {});
  }

  find({ method, path }: AskedCall): DescribedCall | undefined {
    const [bare = ''] = path.split('?', 1);
    const wanted = method === 'HEAD' ? 'GET' : method;
    return this.calls
      .filter((call) => call.method === wanted && pattern(call.path).test(bare))
      .toSorted((one, other) => parameters(one.path) - parameters(other.path))[0];
  }

  /** Returns the differences between the response and the description. */
  faults(asked: AskedCall, { status, headers, body }: Answer): string[] {
    const { code } = (body ?? {}) as { code?: string };
    const call = this.find(asked);
    if (code === 'METHOD_NOT_ALLOWED' || (code === 'NOT_FOUND' && call === undefined)) return [];
    if (call === undefined) return [`${asked.method} ${asked.path} is not described`];
    const response = call.operation.responses[status];
    if (response === undefined) return [`${call.operation.operationId} does not declare ${status}`];
    const type = headers.get('content-type')?.split(';', 1)[0];
    const described = Object.keys(response.content ?? {});
    if (asked.method === 'HEAD' || described.length === 0) return [];
    if (type === undefined || !described.includes(type))
      return [`${call.operation.operationId} answers ${status} with ${type}, not ${described.join()}`];
    return this.shapeFaults(call, status, type, body);
  }

  private shapeFaults(
    { path, method, operation }: DescribedCall,
    status: number,
    type: string,
    body: unknown,
  ) {
    if (operation.responses[status]?.content?.[type]?.schema === undefined) return [];
    const pointer = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type];
    const name = `api#/${pointer.map(escapePointer).map(encodeURIComponent).join('/')}/schema`;
    const validate = this.ajv.getSchema(name) ?? this.ajv.compile({ $ref: name });
    if (validate(body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) =>
        `${operation.operationId} answers ${status} where ${instancePath} ${message}`,
    );
  }
}

const pattern = (path: string) =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const parameters = (path: string) => path.split('{').length;
