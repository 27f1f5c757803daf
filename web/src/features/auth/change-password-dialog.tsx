export default function D({ close }: { close: () => void }) { return null; }
