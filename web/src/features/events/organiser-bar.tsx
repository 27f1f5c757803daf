import { lazyExtra } from '../../ui/lazy';

export default lazyExtra(async () => ({ default: (await import('./event-menu')).OrganiserBar }));
