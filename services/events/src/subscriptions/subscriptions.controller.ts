import {
  ConfirmSubscription,
  type ConfirmSubscriptionRequest,
  FindVisitorList,
  RequestSubscription,
  SetVisitorList,
  type SetVisitorListRequest,
  type SubscriptionFields,
  type VisitorListRequest,
} from '@meetmark/contracts';
import { Handles } from '@meetmark/platform';
import { Controller } from '@nestjs/common';
import { SubscriptionsService } from './subscriptions.service.js';

@Controller()
export class SubscriptionsController {
  constructor(private readonly subscriptions: SubscriptionsService) {}

  @Handles(RequestSubscription)
  request(fields: SubscriptionFields) {
    return this.subscriptions.request(fields);
  }

  @Handles(ConfirmSubscription)
  confirm({ requestId }: ConfirmSubscriptionRequest) {
    return this.subscriptions.confirm(requestId);
  }

  @Handles(FindVisitorList)
  findList(request: VisitorListRequest) {
    return this.subscriptions.findList(request);
  }

  @Handles(SetVisitorList)
  setList(request: SetVisitorListRequest) {
    return this.subscriptions.setList(request);
  }
}
