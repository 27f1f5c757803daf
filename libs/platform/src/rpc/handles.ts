import { applyDecorators, UseFilters, UseGuards, type PipeTransform } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { Message, RequestClass } from '@meetmark/contracts';
import { AccessGuard } from '../identity/access.guard.js';
import type { Call } from './call.js';
import { RefusalFilter } from './refusal.filter.js';
import { validated } from './validated.js';

type Handler<Req, Res> = (request: Req, call: Call) => Res | Promise<Res>;

/**
 * Makes a method of a @Controller() the one that answers `message`: it is given the validated request and the call, after
 * the caller's identity was verified against `message.access`. Composed here, so that nothing rests on global settings.
 */
export function Handles<Req extends object, Res>(message: Message<Req, Res>) {
  return <H extends Handler<Req, Res>>(
    target: object,
    method: string,
    descriptor: TypedPropertyDescriptor<H>,
  ): void => {
    Payload(new ContractPipe(message.request))(target, method, 0);
    Ctx()(target, method, 1);
    applyDecorators(
      MessagePattern(message.name),
      UseGuards(new AccessGuard(message)),
      UseFilters(new RefusalFilter()),
    )(target, method, descriptor);
  };
}

class ContractPipe implements PipeTransform {
  constructor(private readonly type: RequestClass) {}

  transform(value: unknown): Promise<object> {
    return validated(this.type, value);
  }
}
