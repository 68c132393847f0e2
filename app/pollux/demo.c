#include "demo.h"
int
demo_run(struct app *app, const char *file)
{
	(void)app;
	(void)file;
	return 0;
}
