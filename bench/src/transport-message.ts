import type { Message } from '@meetmark/contracts';
import { IsInt, IsString } from 'class-validator';

export class EchoRequest {
  @IsInt()
  number!: number;

  @IsString()
  title!: string;
}

// not by defineMessage: it belongs to this measurement and is no message of the service
export const Echo: Message<EchoRequest, EchoRequest> = {
  service: 'events',
  name: 'bench.echo',
  access: 'public',
  reads: true,
  request: EchoRequest,
};
