import { Controller } from '@nestjs/common';
import { GetSystemStatus, type Nothing, type SystemStatus } from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { SystemService } from './system.service.js';

@Controller()
export class SystemController {
  constructor(private readonly system: SystemService) {}

  @Handles(GetSystemStatus)
  status(_request: Nothing): Promise<SystemStatus> {
    return this.system.status();
  }
}
