import { useMember } from '../auth/session';

/** Members who are no administrators get an empty main area (D8). */
export default function AdminScreen() {
  const { isAdmin } = useMember();
  if (!isAdmin) return null;
  return null;
}
