-- With an account goes what its address had signed up for before there was the account.
CREATE OR REPLACE FUNCTION events.forget_subscription() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF OLD.email_verified_at IS NOT NULL THEN
    DELETE FROM events.subscriptions WHERE email = OLD.email;
    DELETE FROM events.subscription_requests WHERE email = OLD.email;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER users_forget_subscription AFTER DELETE ON auth.users
FOR EACH ROW EXECUTE FUNCTION events.forget_subscription();
