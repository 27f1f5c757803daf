import type { Registration } from '@meetmark/contracts';
import type { RegistrationEntity } from './registration.entity.js';

export const presentRegistration = (row: Omit<RegistrationEntity, 'eventId'>): Registration => ({
  id: row.id,
  userId: row.userId,
  selectedDate: row.selectedDate?.toISOString() ?? null,
  registeredAt: row.registeredAt.toISOString(),
  status: row.status,
});
