import { configure } from '@testing-library/dom';

// milliseconds for what a spec waits for: a slow machine is no failure
configure({ asyncUtilTimeout: 20_000 });
