export default function D({ eventId }: { eventId: string }) { return null; }
